using System.Collections.Immutable;
using System.Text;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Calls;

/// <summary>What flows along the logical thread into the headers of calls. Immutable; replaced as a whole.</summary>
internal sealed class AmbientHeaders(GlueHeaderScope? scope, ImmutableDictionary<string, string>? context)
{
    private static readonly AsyncLocal<AmbientHeaders?> Ambient = new();

    public static AmbientHeaders? Current
    {
        get => Ambient.Value;
        set => Ambient.Value = value;
    }

    public GlueHeaderScope? Scope { get; } = scope;

    public ImmutableDictionary<string, string>? Context { get; } = context;

    /// <summary>Begins a served call: nothing flows into it but the context that its caller sent.</summary>
    public static void Enter(byte[]? received)
    {
        AmbientHeaders? next = received is null ? null : ContextIn(received);
        if (next is not null || Ambient.Value is not null)
            Ambient.Value = next;
    }

    private static AmbientHeaders? ContextIn(ReadOnlySpan<byte> headers)
    {
        ReadOnlySpan<byte> block = HeaderBlock.Find(headers, HeaderBlock.Context);
        if (block.IsEmpty)
            return null;
        var context = ImmutableDictionary.CreateBuilder<string, string>();
        var reader = new WireReader(block);
        while (HeaderBlock.TryRead(ref reader, out HeaderBlock.Entry entry))
            context[Encoding.UTF8.GetString(entry.Name)] = Encoding.UTF8.GetString(entry.Value);
        return new AmbientHeaders(null, context.ToImmutable());
    }
}
