using System.Security.Claims;
using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Authentication;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Cluster.Glue.Tests.Authorization;

/// <summary>Knows users by tokens of the form <c>name.role.seconds</c>: seconds since 1970 at which it expires, or 0.
/// Refuses what begins with "bad", and fails at what begins with "crash".</summary>
internal sealed class TokenHandler(
    IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory logger, UrlEncoder encoder)
    : AuthenticationHandler<AuthenticationSchemeOptions>(options, logger, encoder)
{
    private const string Prefix = "Bearer ";

    public static string Of(string name, string role = "user", DateTimeOffset? expires = null) =>
        string.Create(CultureInfo.InvariantCulture, $"{name}.{role}.{expires?.ToUnixTimeSeconds() ?? 0}");

    protected override Task<AuthenticateResult> HandleAuthenticateAsync()
    {
        var header = Request.Headers.Authorization.ToString();
        if (!header.StartsWith(Prefix, StringComparison.Ordinal))
            return Task.FromResult(AuthenticateResult.NoResult());
        var parts = header[Prefix.Length..].Split('.');
        if (parts[0].StartsWith("crash", StringComparison.Ordinal))
            throw new InvalidOperationException($"crashed at {header}");
        if (parts.Length != 3 || parts[0].StartsWith("bad", StringComparison.Ordinal))
            return Task.FromResult(AuthenticateResult.Fail($"no such user: {header}"));
        var seconds = long.Parse(parts[2], CultureInfo.InvariantCulture);
        DateTimeOffset? expires = seconds == 0 ? null : DateTimeOffset.FromUnixTimeSeconds(seconds);
        if (expires <= TimeProvider.GetUtcNow())
            return Task.FromResult(AuthenticateResult.Fail("the token has expired"));
        var identity = new ClaimsIdentity(
            [new Claim(ClaimTypes.Name, parts[0]), new Claim(ClaimTypes.Role, parts[1])], Scheme.Name);
        var properties = new AuthenticationProperties { ExpiresUtc = expires };
        return Task.FromResult(AuthenticateResult.Success(
            new AuthenticationTicket(new ClaimsPrincipal(identity), properties, Scheme.Name)));
    }
}
