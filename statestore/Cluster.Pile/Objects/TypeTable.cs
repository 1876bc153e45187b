using Cluster.Slim;
using Cluster.Slim.Hosting;

namespace Cluster.Pile.Objects;

/// <summary>The numbers by which stored graphs name their types, in a form that outlives the process: for each number a
/// description with the name of the type and how its objects lie. Owned by the codec; safe for many threads, but for
/// <see cref="Restore"/>.</summary>
/// <remarks>A number keeps the description that it was given first, whatever has become of the type: objects with it
/// lie as they were written. A type that has changed gets a further number when it is written again.</remarks>
internal sealed class TypeTable
{
    private const int HeadBytes = sizeof(int);

    private readonly SlimSerializer _serializer;
    private readonly TypeSearch _search;
    private IReadOnlyList<byte[]> _restored = [];

    public TypeTable(SlimSerializer serializer, TypeSearch search) => (_serializer, _search) = (serializer, search);

    public int Count => SlimTypeTable.CountOf(_serializer);

    public IReadOnlyList<byte[]> Export() => [.. Enumerable.Range(0, Count).Select(Describe)];

    /// <summary>The description of one number.</summary>
    public byte[] Describe(int number)
    {
        if (number < _restored.Count)
            return _restored[number];
        var name = SlimTypeTable.TypeOf(_serializer, number)!.AssemblyQualifiedName!;
        var layout = SlimTypeTable.LayoutOf(_serializer, number);
        var nameBytes = Encoding.UTF8.GetByteCount(name);
        var description = new byte[HeadBytes + nameBytes + layout.Length];
        BinaryPrimitives.WriteInt32LittleEndian(description, nameBytes);
        Encoding.UTF8.GetBytes(name, description.AsSpan(HeadBytes));
        layout.CopyTo(description, HeadBytes + nameBytes);
        return description;
    }

    /// <summary>Takes over the numbers of another process, before anything is encoded or decoded. Objects of a type
    /// whose fields have changed are read by the names of the fields. Objects of a type that this program does not have
    /// are refused when they are read; all others can be read.</summary>
    public void Restore(IReadOnlyList<byte[]> descriptions)
    {
        _restored = [.. descriptions];
        SlimTypeTable.Restore(_serializer, [.. descriptions.Select(Parse)]);
    }

    private SlimTypeRecord Parse(byte[] description)
    {
        var nameBytes = BinaryPrimitives.ReadInt32LittleEndian(description);
        var name = Encoding.UTF8.GetString(description, HeadBytes, nameBytes);
        return new SlimTypeRecord(_search.Find(name), description.AsMemory(HeadBytes + nameBytes));
    }
}
