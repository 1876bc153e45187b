namespace Cluster.Glue;

/// <summary>The stretch of code in which calls carry headers; made by <see cref="GlueCall.WithHeaders"/>. Dispose it in
/// the same method.</summary>
public sealed class GlueHeaderScope : IDisposable
{
    private readonly AmbientHeaders? _outer;
    private GlueHeaders? _reply;

    internal GlueHeaderScope(GlueHeaders request)
    {
        Request = request;
        _outer = AmbientHeaders.Current;
        AmbientHeaders.Current = (_outer ?? new AmbientHeaders()) with { Scope = this };
    }

    /// <summary>The headers that calls carry; changes count for later calls.</summary>
    public GlueHeaders Request { get; }

    /// <summary>The headers of the last reply to a call of this scope; null before the first reply.</summary>
    public GlueHeaders? Reply
    {
        get => Volatile.Read(ref _reply);
        internal set => Volatile.Write(ref _reply, value);
    }

    /// <summary>Ends the scope: calls carry the former headers again.</summary>
    public void Dispose()
    {
        if (ReferenceEquals(AmbientHeaders.Current?.Scope, this))
            AmbientHeaders.Current = _outer;
    }
}
