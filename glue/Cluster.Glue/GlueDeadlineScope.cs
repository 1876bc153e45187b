namespace Cluster.Glue;

/// <summary>
/// The stretch of code in which calls get another time than the default. Made by <see cref="GlueCall.WithDeadline"/>,
/// immutable; disposal restores what was ambient before.
/// </summary>
internal sealed class GlueDeadlineScope(object? outer, GlueCall? serving, TimeSpan time) : IDisposable
{
    public GlueCall? Serving { get; } = serving;

    public TimeSpan Time { get; } = time;

    public void Dispose()
    {
        if (ReferenceEquals(GlueCall.AmbientValue, this))
            GlueCall.AmbientValue = outer;
    }
}
