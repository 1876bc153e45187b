using Cluster.Pile.Layout;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Objects;

/// <summary>Graphs, strings and byte arrays as objects of the pile: encodes each into a payload and decodes it again.
/// Owned by one pile; stateless, safe for many threads.</summary>
internal sealed class ValueStore(ObjectStore objects, GraphCodec graphs, PayloadDecoder decoder)
{
    private readonly ObjectStore _objects = objects;
    private readonly GraphCodec _graphs = graphs;
    private readonly PayloadDecoder _decoder = decoder;

    /// <summary>Encodes a value; the caller disposes of the result.</summary>
    public EncodedValue Encode(object value, Span<byte> stack) => new(_graphs, value, stack);

    /// <summary>Decodes the private copy of a payload as a type that the value has; throws when it has another
    /// type.</summary>
    public T Decode<T>(PayloadKind kind, ReadOnlySpan<byte> payload)
        where T : notnull => _decoder.Decode<T>(kind, payload);

    /// <summary>Whether this is a former name of the type, whatever the assembly.</summary>
    public bool IsOldName(string fullName, Type type) => _graphs.Aliases.IsOldName(fullName, type);

    [SkipLocalsInit]
    public PilePointer Put(object value, PutHints hints)
    {
        using var encoded = Encode(value, stackalloc byte[ScratchBuffer.StackBytes]);
        return _objects.Put(encoded.Kind, encoded.Bytes, hints);
    }

    [SkipLocalsInit]
    public void Replace(PilePointer pointer, object value, PutHints hints)
    {
        using var encoded = Encode(value, stackalloc byte[ScratchBuffer.StackBytes]);
        _objects.Replace(pointer, encoded.Kind, encoded.Bytes, hints);
    }

    public T Get<T>(PilePointer pointer)
        where T : notnull
    {
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            var found = _objects.ReadInto(pointer, ref scratch);
            return _decoder.Decode<T>(found.Kind, scratch.Span[..found.Length]);
        }
        finally
        {
            scratch.Dispose();
        }
    }

    public string GetString(PilePointer pointer)
    {
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            var found = _objects.ReadInto(pointer, ref scratch);
            if (found.Kind is not (PayloadKind.Latin1 or PayloadKind.Utf16))
                PayloadErrors.WrongKind(found.Kind, typeof(string));
            return TextCodec.Decode(found.Kind, scratch.Span[..found.Length]);
        }
        finally
        {
            scratch.Dispose();
        }
    }

    /// <summary>Whether the pointer names an object now.</summary>
    public bool IsLive(PilePointer pointer) => _objects.IsLive(pointer);

    /// <summary>Copies the stored bytes of an object if the destination holds all of them. False: the object is
    /// gone.</summary>
    public bool TryRead(PilePointer pointer, Span<byte> destination, out int length)
    {
        var isThere = _objects.TryRead(pointer, destination, out var found);
        length = found.Length;
        return isThere;
    }

    public TResult? Project<T, TResult>(PilePointer pointer, Projection<T, TResult> projection)
        where T : class
    {
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            var found = _objects.ReadInto(pointer, ref scratch);
            return _decoder.Project(found.Kind, scratch.Span[..found.Length], projection);
        }
        finally
        {
            scratch.Dispose();
        }
    }
}
