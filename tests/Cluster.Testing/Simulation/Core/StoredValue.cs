namespace Cluster.Testing.Simulation.Core;

/// <summary>The value of a simulated record: a number, a list, and a salt that an operation draws when it runs.</summary>
/// <param name="Number">The number.</param>
/// <param name="Items">The list.</param>
internal readonly record struct StoredValue(long Number, ImmutableArray<long> Items)
{
    private const int FixedBytes = 16;

    /// <summary>Drawn by an operation; running it again draws another one.</summary>
    public long Salt { get; init; }

    public static StoredValue Empty { get; } = new(0, []);

    public static StoredValue Read(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty)
            return Empty;
        var items = ImmutableArray.CreateBuilder<long>();
        for (var rest = bytes[FixedBytes..]; !rest.IsEmpty; rest = rest[8..])
            items.Add(BinaryPrimitives.ReadInt64LittleEndian(rest));
        return new StoredValue(BinaryPrimitives.ReadInt64LittleEndian(bytes[8..]), items.DrainToImmutable())
        {
            Salt = BinaryPrimitives.ReadInt64LittleEndian(bytes),
        };
    }

    public byte[] ToBytes()
    {
        var bytes = new byte[FixedBytes + (8 * Items.Length)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, Salt);
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(8), Number);
        for (var index = 0; index < Items.Length; index++)
            BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(FixedBytes + (8 * index)), Items[index]);
        return bytes;
    }
}
