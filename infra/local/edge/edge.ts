/**
 * The edge: HTTPS for custom domain names. SNI selects the certificate, the Host header selects the base path mapping, as
 * in API Gateway; a domain name of a host outranks a wildcard:
 *
 *   https://www.zoo.example/v1/pets ─ certificate of www.zoo.example ─ stage that it is mapped to, /v1/pets
 */
import { constants } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import type { CertificateAuthority } from '../acm/certificate-authority.ts';
import type { Certificate } from '../acm/certificates.ts';
import { hostName } from '../apigateway/exchange.ts';
import type { RestApis, StageMapping } from '../apigateway/rest-apis.ts';
import type { DomainNames } from '../apigateway-control/domain-names.ts';
import { SERVER_LIMITS, started } from '../host/http-servers.ts';
import { plainResponse, respondToUnreadableRequests } from '../host/unreadable-requests.ts';

interface EdgeOptions {
  readonly domainNames: DomainNames;
  findCertificate(arn: string): Certificate | undefined;
  /** What is served of a certificate. */
  served(certificate: Certificate): Certificate['issued'];
  /** The deployed APIs. Waits for the first deployment. */
  restApis(): Promise<RestApis>;
  /** The deployed APIs; undefined before the first deployment. */
  currentApis(): RestApis | undefined;
  /** The issuer of the certificates. Its own certificate is part of the chain. */
  readonly authority: CertificateAuthority;
}

/** Serves custom domain names on a port of the loopback interface, by IPv4 and IPv6. Port 0 is any free port. */
export async function startEdge(port: number, options: EdgeOptions): Promise<Server> {
  const { domainNames, restApis, currentApis } = options;
  const contextOf = secureContexts(options);
  const server = createServer({
    ...SERVER_LIMITS,
    minVersion: 'TLSv1.2',
    // No session tickets: a resumed session would use a replaced certificate or a deleted name.
    secureOptions: constants.SSL_OP_NO_TICKET,
    SNICallback: (serverName, respond) => {
      const context = contextOf(serverName.toLowerCase());
      if (context === undefined) respond(new Error(`There is no domain name ${serverName}.`));
      else respond(null, context);
    },
  });
  const stageOf = (domainName: string): StageMapping | undefined => {
    const mapping = domainNames.serving(domainName)?.mapping;
    return mapping && { apiId: mapping.restApiId, stageName: mapping.stage };
  };
  server.on('request', async (request, response) => {
    const apis = await restApis();
    apis.handleMapped(stageOf(hostName(request.headers.host ?? '')), request, response);
  });
  respondToUnreadableRequests(server, request => {
    // Without a Host header that can be read, the name of the TLS connection selects the stage.
    const serverName = (request.socket as TLSSocket).servername;
    const mapping = stageOf(typeof serverName === 'string' ? serverName.toLowerCase() : '');
    return currentApis()?.respondToUnreadable(request, mapping) ?? plainResponse(request);
  });
  await started(server, port, 'for the edge');
  await acceptIpv6(server);
  return server;
}

/** Takes connections at the same port of ::1, too, on a machine that has it. */
async function acceptIpv6(server: Server): Promise<void> {
  const ipv6 = createNetServer(socket => server.emit('connection', socket));
  ipv6.listen((server.address() as AddressInfo).port, '::1');
  try {
    await once(ipv6, 'listening');
    server.once('close', () => ipv6.close());
  } catch {
    // There is no IPv6, or another process has the port there.
  }
}

/** The TLS contexts of domain names. A context is created at the first use of a certificate, or of a renewed one. */
function secureContexts({ domainNames, findCertificate, served, authority }: EdgeOptions) {
  const contextByCertificate = new WeakMap<object, SecureContext>();
  return (domainName: string): SecureContext | undefined => {
    const arn = domainNames.serving(domainName)?.certificateArn;
    const certificateOfName = arn === undefined ? undefined : findCertificate(arn);
    const issued = certificateOfName && served(certificateOfName);
    if (issued === undefined) return undefined;
    const existing = contextByCertificate.get(issued);
    if (existing !== undefined) return existing;
    const { certificate, privateKey } = issued;
    const context = createSecureContext({
      cert: `${certificate}\n${authority.certificate}`,
      key: privateKey,
    });
    contextByCertificate.set(issued, context);
    return context;
  };
}
