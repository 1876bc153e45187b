namespace Cluster.Pile.Tests.Host;

/// <summary>One line of the log of what a process was told about its objects. An immutable value of fixed
/// size.</summary>
/// <param name="Step">What happened.</param>
/// <param name="Id">To which object.</param>
/// <param name="Version">The version that it gets or has.</param>
/// <param name="Place">Where it is; zero before it is stored for the first time.</param>
public readonly record struct KillRecord(KillStep Step, long Id, long Version, ulong Place)
{
    /// <summary>The size of a record.</summary>
    public const int Bytes = 32;

    /// <summary>Writes the record.</summary>
    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt64LittleEndian(to, (long)Step);
        BinaryPrimitives.WriteInt64LittleEndian(to[8..], Id);
        BinaryPrimitives.WriteInt64LittleEndian(to[16..], Version);
        BinaryPrimitives.WriteUInt64LittleEndian(to[24..], Place);
    }

    /// <summary>The records of a log, without one at the end that is not whole.</summary>
    public static IEnumerable<KillRecord> ReadAll(string path)
    {
        var bytes = File.ReadAllBytes(path);
        for (var at = 0; at + Bytes <= bytes.Length; at += Bytes)
        {
            yield return new KillRecord(
                (KillStep)BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(at)),
                BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(at + 8)),
                BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(at + 16)),
                BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(at + 24)));
        }
    }
}
