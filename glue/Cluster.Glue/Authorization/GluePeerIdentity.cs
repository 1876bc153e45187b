namespace Cluster.Glue.Authorization;

/// <summary>What a process proves to its peers when a link is opened, and what it asks them to prove: that they know
/// the same secret and belong to the same group. Client and server of one process may share an instance. The secrets
/// are copied when client or server is made; the realm may be set later.</summary>
public sealed class GluePeerIdentity
{
    internal const int SecretsMax = 4;

    private volatile string? _realm = string.Empty;

    /// <summary>The first one is sent, all of them are accepted, so that a secret is changed by restarting one process
    /// after the other: first with the old and the new one, then with the new and the old one, then with the new one
    /// alone. From 1 to 4.</summary>
    public IList<GlueSecret> Secrets { get; } = [];

    /// <summary>The group that the processes belong to, for instance the identity of a cluster: a proof holds for one
    /// realm only. Null while it is not known yet; peers that want to prove themselves are then told to come
    /// again.</summary>
    /// <value>Default: an empty text.</value>
    public string? Realm
    {
        get => _realm;
        set => _realm = value;
    }
}
