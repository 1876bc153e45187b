namespace Cluster.Slim.Hosting;

/// <summary>An output that can refer to bytes instead of taking a copy of them.</summary>
public interface ISlimLendingOutput : IBufferWriter<byte>
{
    /// <summary>Takes bytes that follow what was written so far. They stay unchanged until the host has used the
    /// message.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <returns>False: the output refers to nothing. The writer then copies the bytes.</returns>
    bool TryLend(ReadOnlyMemory<byte> bytes);
}
