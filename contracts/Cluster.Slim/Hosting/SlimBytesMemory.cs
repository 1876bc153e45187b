using Cluster.Slim.Messages;

namespace Cluster.Slim.Hosting;

/// <summary>In whose memory the <see cref="SlimBytes"/> lie that a reader creates.</summary>
public enum SlimBytesMemory
{
    /// <summary>In arrays of their own, which the garbage collector frees.</summary>
    Own,

    /// <summary>In arrays of the shared pool. The receiver of the message may return each of them once.</summary>
    Pooled,

    /// <summary>In the message that was read. They may be used while its memory stays unchanged.</summary>
    Lent,
}
