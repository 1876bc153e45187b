using System.Security.Claims;
using System.Security.Cryptography;

namespace Cluster.Glue.Authorization;

/// <summary>Who calls over one link, or in one request, or with one token, as the server has found out. Immutable but
/// for the decisions that were made about it, which protect themselves and end with it.</summary>
/// <param name="user">Who; never handed out, because principals can be changed.</param>
/// <param name="expiresAt">Until when; null: as long as the link.</param>
/// <param name="problem">Why nobody is known although something was shown; null: there is none.</param>
internal sealed class CallerIdentity(ClaimsPrincipal user, DateTimeOffset? expiresAt, string? problem)
{
    private readonly ConcurrentDictionary<AccessRule, bool> _decisions = new();

    /// <summary>A caller that has shown nothing.</summary>
    public static CallerIdentity Nobody { get; } = new(new ClaimsPrincipal(new ClaimsIdentity()), null, null);

    private ClaimsPrincipal User { get; } = user;

    public DateTimeOffset? ExpiresAt { get; } = expiresAt;

    public string? Problem { get; } = problem;

    /// <summary>Says who it is, and nothing of how that was shown: the same user has the same text.</summary>
    public string Key { get; } = KeyOf(user);

    /// <summary>Its certificate has the role of a node.</summary>
    public bool IsNode => User.Identities.OfType<CertificateIdentity>().Any(
        static one => one.HasClaim(ClaimTypes.Role, GlueRoles.Node));

    public bool IsKnown => Key.Length > 0;

    /// <summary>A principal for one user of it.</summary>
    public ClaimsPrincipal CopyUser() => User.Clone();

    public bool HasExpired(DateTimeOffset now) => now >= ExpiresAt;

    public bool? FindDecision(AccessRule rule) => _decisions.TryGetValue(rule, out var known) ? known : null;

    public void Keep(AccessRule rule, bool isAllowed)
    {
        // Those of nobody would never end: all callers who show nothing share them.
        if (IsKnown)
            _decisions.TryAdd(rule, isAllowed);
    }

    /// <summary>Never what was shown.</summary>
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
        // Nameless: only a user with the very same claims is the same one.
        foreach (var claim in identity.Claims)
            Append(Append(Append(key, claim.Type), claim.Issuer), claim.Value);
        return Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(key.ToString())));
    }

    // With its length, so that no two texts together look like two others.
    private static StringBuilder Append(StringBuilder key, string text) =>
        key.Append(CultureInfo.InvariantCulture, $"{text.Length}:{text}");
}
