using Cluster.Pile;

namespace Cluster.Buffers;

/// <summary>The handle names no live buffer: it is <c>default</c>, the buffer was freed, or its pile was disposed; or a
/// lease was released that nobody had taken. Nothing was read or changed. Immutable.</summary>
public sealed class InvalidPileBufferException : PileException
{
    internal InvalidPileBufferException(string message)
        : base(message)
    {
    }
}
