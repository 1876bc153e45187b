namespace Cluster.Glue.Authorization;

/// <summary>What a process proves to its peers when a link is opened, and what it asks them to prove: that they know
/// the same secret and belong to the same group. Client and server of one process may share an instance. The secrets
/// are copied when client or server is made; the realm may be set later.</summary>
public sealed class GluePeerIdentity
{
    internal const int SecretsMax = 4;

    private volatile string? _realm = string.Empty;

    /// <summary>The secrets of the group, from 1 to 4. This side sends a proof by the first one and accepts proofs by
    /// all of them. To change a secret, restart one process after the other, three times: first with the old and the
    /// new secret, then with the new and the old one, then with the new one alone.</summary>
    public IList<GlueSecret> Secrets { get; } = [];

    /// <summary>The group that the processes belong to, for instance the identity of a cluster: a proof holds for one
    /// realm only. Null while the realm is not known yet; until then no link with a proof opens, and the side that
    /// opens it tries again within its ConnectTimeout.</summary>
    /// <value>Default: an empty text.</value>
    public string? Realm
    {
        get => _realm;
        set => _realm = value;
    }
}
