namespace Cluster.Slim;

/// <summary>What one message may cost. Crossing a limit is a <see cref="SlimLimitException"/> naming it.</summary>
public sealed class SlimLimits
{
    /// <summary>The size of one message, written or read.</summary>
    /// <value>64 MiB.</value>
    public int MessageBytesMax { get; set; } = 64 * 1024 * 1024;

    /// <summary>The memory of the graph a read builds, charged before each allocation.</summary>
    /// <value>128 MiB.</value>
    public long GraphBytesMax { get; set; } = 128L * 1024 * 1024;

    /// <summary>The length of one string in characters.</summary>
    /// <value>16 Mi characters.</value>
    public int StringLengthMax { get; set; } = 16 * 1024 * 1024;

    /// <summary>The distinct types that one message, or all messages of one session, may describe.</summary>
    /// <value>4,096.</value>
    public int TypeCountMax { get; set; } = 4096;

    /// <summary>The bytes of all type descriptions of one message, or of all messages of one session.</summary>
    /// <value>1 MiB.</value>
    public int TypeBytesMax { get; set; } = 1024 * 1024;

    /// <summary>
    /// The runs of serialization callbacks, constructors and content methods of types that opted in, for one message.
    /// </summary>
    /// <value>1,048,576.</value>
    public int CallbackCountMax { get; set; } = 1024 * 1024;

    internal SlimLimits Freeze()
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(CallbackCountMax, 0);
        ArgumentOutOfRangeException.ThrowIfLessThan(MessageBytesMax, 16);
        ArgumentOutOfRangeException.ThrowIfLessThan(GraphBytesMax, 0);
        ArgumentOutOfRangeException.ThrowIfLessThan(StringLengthMax, 0);
        ArgumentOutOfRangeException.ThrowIfLessThan(TypeCountMax, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(TypeBytesMax, 0);
        return (SlimLimits)MemberwiseClone();
    }
}
