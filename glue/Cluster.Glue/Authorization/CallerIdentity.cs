using System.Security.Claims;
using System.Security.Cryptography;

namespace Cluster.Glue.Authorization;

/// <summary>The caller of one link, one request or one token, as the server has found it. Immutable but for the
/// remembered decisions about it, which protect themselves and end with it.</summary>
/// <param name="user">The user; never handed out, because principals can be changed.</param>
/// <param name="expiresAt">When the identity expires; null: with the link.</param>
/// <param name="problem">Why the caller is unknown although it has shown something; null: there is no problem.</param>
internal sealed class CallerIdentity(ClaimsPrincipal user, DateTimeOffset? expiresAt, string? problem)
{
    private readonly ConcurrentDictionary<AccessRule, bool> _decisions = new();

    /// <summary>A caller that has shown no identity.</summary>
    public static CallerIdentity Nobody { get; } = new(new ClaimsPrincipal(new ClaimsIdentity()), null, null);

    private ClaimsPrincipal User { get; } = user;

    public DateTimeOffset? ExpiresAt { get; } = expiresAt;

    public string? Problem { get; } = problem;

    /// <summary>Identifies the user, but does not show the credentials: the same user has the same text.</summary>
    public string Key { get; } = KeyOf(user);

    /// <summary>Whether its certificate has the role of a node.</summary>
    public bool IsNode => User.Identities.OfType<CertificateIdentity>().Any(
        static one => one.HasClaim(ClaimTypes.Role, GlueRoles.Node));

    public bool IsKnown => Key.Length > 0;

    /// <summary>A copy of the principal for one user of it.</summary>
    public ClaimsPrincipal CopyUser() => User.Clone();

    public bool HasExpired(DateTimeOffset now) => now >= ExpiresAt;

    public bool? FindDecision(AccessRule rule) => _decisions.TryGetValue(rule, out var known) ? known : null;

    public void Keep(AccessRule rule, bool isAllowed)
    {
        // Decisions about an unknown caller would never end: all callers without identity share the object.
        if (IsKnown)
            _decisions.TryAdd(rule, isAllowed);
    }

    /// <summary>Never contains the credentials.</summary>
    public override string ToString() => IsKnown ? "(a known caller)" : "(nobody)";

    private static string KeyOf(ClaimsPrincipal user)
    {
        var key = new StringBuilder();
        foreach (var identity in user.Identities.Where(static one => one.IsAuthenticated))
            Append(key, identity.AuthenticationType!).Append(KeyOf(identity)).Append('\n');
        return key.ToString();
    }

    private static string KeyOf(ClaimsIdentity identity)
    {
        var key = new StringBuilder();
        if (identity is CertificateIdentity certificate)
            return certificate.Key;
        var name = identity.FindFirst(ClaimTypes.NameIdentifier) ?? identity.FindFirst("sub")
            ?? identity.FindFirst(identity.NameClaimType);
        if (name is not null)
            return Append(Append(Append(key, name.Type), name.Issuer), name.Value).ToString();
        // A user without a name: only a user with the very same claims is the same one.
        foreach (var claim in identity.Claims)
            Append(Append(Append(key, claim.Type), claim.Issuer), claim.Value);
        return Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(key.ToString())));
    }

    // With its length, so that two texts joined never equal two other texts joined.
    private static StringBuilder Append(StringBuilder key, string text) =>
        key.Append(CultureInfo.InvariantCulture, $"{text.Length}:{text}");
}
