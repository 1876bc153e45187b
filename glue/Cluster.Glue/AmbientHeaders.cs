using Cluster.Glue.Wire;

namespace Cluster.Glue;

/// <summary>What flows along the logical thread into the headers of calls. Immutable; replaced as a whole.</summary>
internal sealed record AmbientHeaders
{
    private static readonly AsyncLocal<AmbientHeaders?> Ambient = new();

    public static AmbientHeaders? Current
    {
        get => Ambient.Value;
        set => Ambient.Value = value;
    }

    public GlueHeaderScope? Scope { get; init; }

    public ImmutableDictionary<string, string>? Context { get; init; }

    /// <summary>The bearer token of calls; null: they have none of their own.</summary>
    public string? Token { get; init; }

    /// <summary>Replaces what flows until the result is disposed, in the same method.</summary>
    public static IDisposable Begin(Func<AmbientHeaders, AmbientHeaders> change)
    {
        var outer = Current;
        var inner = change(outer ?? new AmbientHeaders());
        Current = inner;
        return new Restoration(outer, inner);
    }

    /// <summary>Begins a served call: nothing flows into it but the context that its caller sent.</summary>
    public static void Enter(byte[]? received)
    {
        var next = received is null ? null : ContextIn(received);
        if (next is not null || Ambient.Value is not null)
            Ambient.Value = next;
    }

    private static AmbientHeaders? ContextIn(ReadOnlySpan<byte> headers)
    {
        var block = HeaderBlock.Find(headers, HeaderBlock.Context);
        if (block.IsEmpty)
            return null;
        var context = ImmutableDictionary.CreateBuilder<string, string>();
        var reader = new WireReader(block);
        while (HeaderBlock.TryRead(ref reader, out var entry))
            context[Encoding.UTF8.GetString(entry.Name)] = Encoding.UTF8.GetString(entry.Value);
        return new AmbientHeaders { Context = context.ToImmutable() };
    }

    /// <summary>Never the token.</summary>
    public override string ToString() => "(headers)";

    /// <summary>Puts the former values back, unless others were set meanwhile. Immutable.</summary>
    private sealed class Restoration(AmbientHeaders? outer, AmbientHeaders inner) : IDisposable
    {
        public void Dispose()
        {
            if (ReferenceEquals(Current, inner))
                Current = outer;
        }
    }
}
