namespace Cluster.Nodes.Storage.Writing;

/// <summary>Compares keys by their bytes. Stateless.</summary>
internal sealed class KeyBytesComparer : IEqualityComparer<byte[]>
{
    public static KeyBytesComparer Instance { get; } = new();

    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    public int GetHashCode(byte[] obj)
    {
        var hash = new HashCode();
        hash.AddBytes(obj);
        return hash.ToHashCode();
    }
}
