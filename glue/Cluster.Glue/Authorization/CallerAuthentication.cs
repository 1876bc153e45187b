using System.Security.Claims;
using System.Security.Cryptography.X509Certificates;
using Cluster.Glue.Observation;
using Cluster.Glue.Settings;
using Cluster.Glue.Tls;
using Cluster.Glue.Wire;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features.Authentication;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Authorization;

/// <summary>Finds the identity of callers: by the default authentication scheme of the host, and by the certificate of
/// the connection. Immutable, but for a table of certificates that protects itself.</summary>
internal sealed class CallerAuthentication(IServiceProvider services, ServerSettings settings, ServerLog log)
{
    private readonly ConditionalWeakTable<X509Certificate2, CallerIdentity> _owners = [];
    private readonly IServiceProvider _services = services;
    private readonly ServerSettings _settings = settings;
    private readonly IAuthenticationSchemeProvider? _schemes = services.GetService<IAuthenticationSchemeProvider>();
    private readonly ServerLog _log = log;

    public CertificateRoles Roles { get; } = CertificateRoles.Of(settings.Tls);

    /// <summary>Whether the server reads tokens. Without that, calls are not searched for tokens.</summary>
    public bool ReadsTokens => _schemes is not null;

    /// <summary>Finds the sender of a request.</summary>
    /// <param name="context">The context of the request.</param>
    /// <param name="certificate">The certificate that its connection has shown; null: the host asks for
    /// certificates.</param>
    public async ValueTask<CallerIdentity> IdentifyAsync(HttpContext context, PeerCertificate? certificate)
    {
        var shown = await AuthenticateAsync(context).ConfigureAwait(false);
        var owner = OwnerOf(context, certificate);
        if (shown is { User: null, Problem: null })
            return owner;
        var user = new ClaimsPrincipal();
        if (shown.User is not null)
            user.AddIdentities(shown.User.Identities);
        if (owner.IsKnown)
            user.AddIdentities(owner.CopyUser().Identities);
        return new CallerIdentity(user, shown.ExpiresAt, shown.Problem);
    }

    /// <summary>Finds the owner of the token that one call carries. For that call the token replaces the identity of
    /// the link.</summary>
    public async ValueTask<CallerIdentity> IdentifyAsync(string token)
    {
        var scope = _services.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
        {
            var context = new DefaultHttpContext { RequestServices = scope.ServiceProvider };
            context.Request.Method = HttpMethods.Post;
            context.Request.Scheme = Uri.UriSchemeHttps;
            context.Request.Protocol = HttpProtocol.Http2;
            context.Request.Path = GlueWire.CallPath;
            context.Request.Headers.Authorization = BearerToken.ToHttp(token);
            var shown = await AuthenticateAsync(context).ConfigureAwait(false);
            return new CallerIdentity(
                shown.User ?? new ClaimsPrincipal(new ClaimsIdentity()),
                shown.ExpiresAt,
                shown.User is null ? shown.Problem ?? "the server does not accept the caller's token" : null);
        }
    }

    // The owner of the connection. All requests of a connection get the same object.
    private CallerIdentity OwnerOf(HttpContext context, PeerCertificate? shown) =>
        CertificateIn(context, shown) is { } certificate
            ? _owners.GetValue(certificate, IdentityOf)
            : CallerIdentity.Nobody;

    [SuppressMessage("Design", "CA1031", Justification = "Whatever the selector throws leaves the caller unknown.")]
    private CallerIdentity IdentityOf(X509Certificate2 certificate)
    {
        try
        {
            return new CallerIdentity(new ClaimsPrincipal(Roles.IdentityOf(certificate)), null, null);
        }
        catch (Exception exception)
        {
            _log.CallerNotIdentified(exception);
            return new CallerIdentity(
                new ClaimsPrincipal(new ClaimsIdentity()),
                null,
                "the roles of the caller's certificate could not be found out; the server's log says why");
        }
    }

    private static X509Certificate2? CertificateIn(HttpContext context, PeerCertificate? shown) =>
        shown is not null
            ? shown.Problem is null ? shown.Certificate : null
            : context.Connection.ClientCertificate;

    [SuppressMessage("Design", "CA1031", Justification = "Whatever a handler throws leaves the caller unknown.")]
    private async ValueTask<Shown> AuthenticateAsync(HttpContext context)
    {
        try
        {
            // A host with the authentication middleware has authenticated the request already, perhaps by more than one
            // scheme.
            var result = context.Features.Get<IAuthenticateResultFeature>()?.AuthenticateResult;
            if (result is null && _schemes is not null
                && await _schemes.GetDefaultAuthenticateSchemeAsync().ConfigureAwait(false) is { } scheme)
            {
                // A handler that asks another system, and gets no answer, must not delay the call for longer.
                result = await context.AuthenticateAsync(scheme.Name)
                    .WaitAsync(_settings.HandshakeTimeout, _settings.Time).ConfigureAwait(false);
            }

            // Without the feature the middleware authenticated nobody, and the context would make an empty user.
            var user = context.Features.Get<IHttpAuthenticationFeature>()?.User;
            if (!IsKnown(user))
                user = result?.Principal;
            if (IsKnown(user))
                return new Shown(user, result?.Properties?.ExpiresUtc, null);
            return new Shown(
                null, null, result?.Failure is null ? null : "the server does not accept the caller's token");
        }
        catch (Exception exception)
        {
            _log.CallerNotIdentified(exception);
            return new Shown(null, null, "who the caller is could not be found out; the server's log says why");
        }
    }

    private static bool IsKnown([NotNullWhen(true)] ClaimsPrincipal? user) =>
        user?.Identities.Any(static one => one.IsAuthenticated) == true;

    /// <summary>The user of a request by its token, without the certificate of its connection.</summary>
    private readonly record struct Shown(ClaimsPrincipal? User, DateTimeOffset? ExpiresAt, string? Problem);
}
