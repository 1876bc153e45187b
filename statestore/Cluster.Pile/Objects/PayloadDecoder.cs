using Cluster.Pile.Layout;
using Cluster.Pile.Slots;
using Cluster.Slim;

namespace Cluster.Pile.Objects;

/// <summary>Decodes the private copy of a payload into the value that was stored. Owned by one pile; stateless except
/// for its type table, safe for many threads.</summary>
internal sealed class PayloadDecoder(GraphCodec graphs)
{
    private readonly GraphCodec _graphs = graphs;

    /// <summary>Decodes the value as a type that it has; throws when it has another type.</summary>
    public T Decode<T>(PayloadKind kind, ReadOnlySpan<byte> payload)
        where T : notnull
    {
        var value = kind switch
        {
            PayloadKind.Bytes => payload.ToArray(),
            PayloadKind.Graph => _graphs.Decode(payload),
            _ => TextCodec.Decode(kind, payload),
        };
        if (value is not T typed)
        {
            PileErrors.WrongType(value.GetType(), typeof(T));
            return default!;
        }

        return typed;
    }

    /// <summary>Decodes one member of a graph; throws when the graph has another type.</summary>
    public TResult? Project<T, TResult>(
        PayloadKind kind, ReadOnlySpan<byte> payload, Projection<T, TResult> projection)
        where T : class
    {
        if (kind != PayloadKind.Graph)
            PayloadErrors.WrongKind(kind, typeof(T));
        try
        {
            return projection.Read(_graphs, payload);
        }
        catch (SlimLayoutException e)
        {
            throw new InvalidCastException(e.Message, e);
        }
    }
}
