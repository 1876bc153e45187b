namespace Cluster.Pile.Tests.Host;

/// <summary>The payload of an object in the kill loop: its id, its version, and bytes that follow from both, so that
/// any mixture of two versions or objects shows. Stateless.</summary>
public static class KillPayload
{
    /// <summary>The shortest payload: id and version.</summary>
    public const int BytesMin = 16;

    /// <summary>Writes the payload of a version into a span of its length.</summary>
    public static void Fill(Span<byte> payload, long id, long version)
    {
        BinaryPrimitives.WriteInt64LittleEndian(payload, id);
        BinaryPrimitives.WriteInt64LittleEndian(payload[sizeof(long)..], version);
        var x = Mix((ulong)id * 31 + (ulong)version);
        for (var i = BytesMin; i < payload.Length; i++)
        {
            if ((i & 7) == 0)
                x = Mix(x + (ulong)i);
            payload[i] = (byte)(x >> ((i & 7) * 8));
        }
    }

    /// <summary>Whether a payload is a whole one, and of what.</summary>
    public static bool TryParse(ReadOnlySpan<byte> payload, out long id, out long version)
    {
        (id, version) = (0, 0);
        if (payload.Length < BytesMin)
            return false;
        id = BinaryPrimitives.ReadInt64LittleEndian(payload);
        version = BinaryPrimitives.ReadInt64LittleEndian(payload[sizeof(long)..]);
        var expected = new byte[payload.Length];
        Fill(expected, id, version);
        return payload.SequenceEqual(expected);
    }

    private static ulong Mix(ulong x)
    {
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
        return x ^ (x >> 31);
    }
}
