namespace Cluster.Testing.Glue;

/// <summary>Which way a frame travels.</summary>
public enum FrameDirection
{
    /// <summary>From the client to the server.</summary>
    ToServer,

    /// <summary>From the server to the client.</summary>
    ToClient,
}
