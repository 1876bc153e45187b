namespace Cluster.Testing.Glue;

/// <summary>The direction in which a frame travels.</summary>
public enum FrameDirection
{
    /// <summary>From the client to the server.</summary>
    ToServer,

    /// <summary>From the server to the client.</summary>
    ToClient,
}
