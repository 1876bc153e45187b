namespace Cluster.Glue;

/// <summary>Who may call a service.</summary>
public enum GlueAudience
{
    /// <summary>Everybody who reaches the server.</summary>
    Everybody = 0,

    /// <summary>
    /// Processes that have proven a secret of the server's <see cref="GlueServerOptions.PeerIdentity"/>, and callers in
    /// the same process. Others are refused before anything of their arguments is read.
    /// </summary>
    Peers = 1,
}
