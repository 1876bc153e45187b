using Cluster.Glue.Wire;

namespace Cluster.Glue;

/// <summary>The ambient values that flow with the logical thread into the headers of calls. Immutable; replaced as a
/// whole.</summary>
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

    /// <summary>The bearer token for calls; null: the token of the client is used.</summary>
    public string? Token { get; init; }

    /// <summary>Replaces the ambient values until the result is disposed, in the same method.</summary>
    public static IDisposable Begin(Func<AmbientHeaders, AmbientHeaders> change)
    {
        var outer = Current;
        var inner = change(outer ?? new AmbientHeaders());
        Current = inner;
        return new Restoration(outer, inner);
    }

    /// <summary>Begins a served call: its only ambient values are the context that the caller sent.</summary>
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

    /// <summary>Must not show the token.</summary>
    public override string ToString() => "(headers)";

    /// <summary>Restores the former values, unless others were set meanwhile. Immutable.</summary>
    private sealed class Restoration(AmbientHeaders? outer, AmbientHeaders inner) : IDisposable
    {
        public void Dispose()
        {
            if (ReferenceEquals(Current, inner))
                Current = outer;
        }
    }
}
