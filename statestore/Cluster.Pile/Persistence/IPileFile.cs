namespace Cluster.Pile.Persistence;

/// <summary>One open file of <see cref="IPileFiles"/>. For one thread at a time; owned by whoever opened it.</summary>
internal interface IPileFile : IDisposable
{
    long Length { get; }

    void Write(long offset, ReadOnlySpan<byte> bytes);

    /// <summary>Reads up to as many bytes as fit; zero at the end of the file.</summary>
    int Read(long offset, Span<byte> bytes);

    /// <summary>Makes what was written last, also if the machine fails.</summary>
    void Flush();
}
