namespace Cluster.Pile.Files;

/// <summary>One open file of <see cref="IPileFiles"/>. For one thread at a time; owned by the caller that opened
/// it.</summary>
internal interface IPileFile : IDisposable
{
    long Length { get; }

    void Write(long offset, ReadOnlySpan<byte> bytes);

    /// <summary>Reads at most as many bytes as the span has; returns zero at the end of the file.</summary>
    int Read(long offset, Span<byte> bytes);

    /// <summary>Makes all written data durable, also against a failure of the machine.</summary>
    void Flush();
}
