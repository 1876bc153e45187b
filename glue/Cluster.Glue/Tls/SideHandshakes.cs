using System.Net.Security;
using System.Security.Authentication;
using System.Security.Claims;
using System.Security.Cryptography.X509Certificates;
using Cluster.Glue.Authorization;
using Cluster.Glue.Sessions;

namespace Cluster.Glue.Tls;

/// <summary>TLS of a server on connections that another port of the program has accepted. The number and the time of
/// open handshakes are limited. Refusals are logged and counted like those of the listeners. The only state is an
/// atomic count.</summary>
internal sealed class SideHandshakes(ServerTls tls, ServerRuntime server)
{
    private int _count;

    /// <summary>Performs the TLS handshake. The connection is closed when it fails.</summary>
    /// <exception cref="AuthenticationException">The other side is not let in; the message says why.</exception>
    public async ValueTask<Stream> AuthenticateAsync(
        Stream connection, string from, GlueAudience audience, CancellationToken cancellationToken)
    {
        try
        {
            if (Interlocked.Increment(ref _count) > server.Settings.MaxUnauthenticatedConnections)
            {
                throw new AuthenticationException(
                    $"{server.Settings.MaxUnauthenticatedConnections} connections have not shaken hands "
                    + "(Glue:Server:MaxUnauthenticatedConnections)");
            }

            return await ShakeHandsAsync(connection, audience, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (ProblemOf(exception, cancellationToken) is { } problem)
        {
            if (problem is CertificateException)
                server.Host.Metrics.CountRefusedCertificate();
            server.Log.LinkRefused(from, problem.Message);
            throw problem;
        }
        finally
        {
            Interlocked.Decrement(ref _count);
        }
    }

    private async ValueTask<Stream> ShakeHandsAsync(
        Stream connection, GlueAudience audience, CancellationToken cancellationToken)
    {
        var stream = new SslStream(connection, leaveInnerStreamOpen: false);
        using var late = new CancellationTokenSource(server.Settings.HandshakeTimeout, server.Settings.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, cancellationToken);
        try
        {
            await stream.AuthenticateAsServerAsync(tls.ToStrictOptions(), either.Token).ConfigureAwait(false);
            if (audience == GlueAudience.Peers)
                CheckRole(stream.RemoteCertificate as X509Certificate2);
            return stream;
        }
        catch
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    // The same rule as for services of peers: where certificates have roles, only those of nodes are let in.
    private void CheckRole(X509Certificate2? certificate)
    {
        var roles = server.Host.Callers.Roles;
        if (roles.AreMapped && (certificate is null || !IsNode(roles, certificate)))
        {
            throw new CertificateException(
                $"the certificate of {(certificate is null ? "nobody" : CertificateJudge.NameOf(certificate))} has not "
                + $"the role {GlueRoles.Node} (Glue:Server:Tls:Roles)");
        }
    }

    private static bool IsNode(CertificateRoles roles, X509Certificate2 certificate)
    {
        try
        {
            return roles.IdentityOf(certificate).HasClaim(ClaimTypes.Role, GlueRoles.Node);
        }
        catch (Exception exception)
        {
            throw new CertificateException($"Glue:Server:Tls:RoleSelector failed: {exception.Message}", exception);
        }
    }

    // Null: the caller has cancelled the handshake.
    private AuthenticationException? ProblemOf(Exception exception, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return null;
        return exception switch
        {
            _ when CertificateException.In(exception) is { } problem => problem,
            AuthenticationException known => known,
            OperationCanceledException => new AuthenticationException(
                "no TLS handshake within Glue:Server:HandshakeTimeout "
                + $"({server.Settings.HandshakeTimeout.TotalSeconds:0.##} s)",
                exception),
            IOException => new AuthenticationException($"no TLS handshake: {exception.Message}", exception),
            _ => null,
        };
    }
}
