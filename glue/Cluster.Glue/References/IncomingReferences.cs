using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.References;

/// <summary>The references that came with one message. References that the reader does not use are given back; all of
/// them are when the message cannot be read. Owned by one message.</summary>
internal sealed class IncomingReferences : ISlimReferences
{
    private readonly ReferenceTable _table;
    private readonly ContractSerializer _serializer;
    private readonly ulong[] _entries;
    private readonly object?[] _objects;

    private IncomingReferences(ReferenceTable table, ContractSerializer serializer, ulong[] entries)
    {
        _table = table;
        _serializer = serializer;
        _entries = entries;
        _objects = new object?[entries.Length];
    }

    /// <summary>The offset of the Slim message.</summary>
    public int MessageStart { get; private init; }

    /// <summary>Whether a body contains references.</summary>
    public static bool ArePresent(ReadOnlySpan<byte> body) => body.Length > 0 && body[0] == GlueWire.ReferencesMark;

    /// <exception cref="WireException">The entries are cut short.</exception>
    public static IncomingReferences Read(
        ReadOnlySpan<byte> body, ReferenceTable table, ContractSerializer serializer)
    {
        var entries = ReadEntries(body, out var messageStart);
        return new IncomingReferences(table, serializer, entries) { MessageStart = messageStart };
    }

    /// <summary>Gives back the references of a message that nobody reads.</summary>
    public static void Discard(ReadOnlySpan<byte> body, ReferenceTable? table)
    {
        if (table is null || !ArePresent(body))
            return;
        try
        {
            foreach (var entry in ReadEntries(body, out _))
                GiveBack(table, entry);
        }
        catch (WireException)
        {
            // The message is not read, so other damage in it does not matter.
        }
    }

    /// <summary>Takes back the references of this side in a message that the peer never gets whole.</summary>
    public static void TakeBack(ReadOnlySpan<byte> body, ReferenceTable table)
    {
        if (!ArePresent(body))
            return;
        foreach (var entry in ReadEntries(body, out _))
        {
            if ((entry & GlueWire.OwnReference) == 0)
                table.Release(entry >> 1, 1);
        }
    }

    public int Export(Type declared, object value) => throw new NotSupportedException("This message is read.");

    public object Import(Type declared, int number)
    {
        if ((uint)number >= (uint)_entries.Length)
            throw new WireException($"reference {number}: the message has {_entries.Length}.");
        return _objects[number] ??= Find(declared, _entries[number]);
    }

    /// <summary>Reads the message after the entries. References that it does not use are given back.</summary>
    public T ReadMessage<T>(ReadOnlyMemory<byte> body)
    {
        try
        {
            var root = _serializer.Read<T>(body[MessageStart..], this);
            Close();
            return root;
        }
        catch
        {
            Abandon();
            throw;
        }
    }

    /// <summary>Notes that the message was read.</summary>
    public void Close()
    {
        for (var i = 0; i < _entries.Length; i++)
        {
            if (_objects[i] is null)
                GiveBack(_table, _entries[i]);
        }
    }

    /// <summary>Notes that the message could not be read.</summary>
    public void Abandon()
    {
        for (var i = 0; i < _entries.Length; i++)
        {
            if (_objects[i] is not { } value)
                GiveBack(_table, _entries[i]);
            else if ((_entries[i] & GlueWire.OwnReference) == 0)
                ImportedReference.Release(value);
        }
    }

    private static ulong[] ReadEntries(ReadOnlySpan<byte> body, out int messageStart)
    {
        var reader = new WireReader(body[1..]);
        var entries = new ulong[reader.ReadLength(reader.Remaining, "reference count")];
        for (var i = 0; i < entries.Length; i++)
            entries[i] = reader.ReadVarint("reference");
        messageStart = body.Length - reader.Remaining;
        return entries;
    }

    private static void GiveBack(ReferenceTable table, ulong entry)
    {
        if ((entry & GlueWire.OwnReference) == 0)
            table.SendRelease(entry >> 1, 1);
    }

    private object Find(Type declared, ulong entry) => (entry & GlueWire.OwnReference) != 0
        ? _table.FindOwn(entry >> 1)
        : _table.Import(declared, entry >> 1, _serializer);
}
