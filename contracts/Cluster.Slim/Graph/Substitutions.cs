namespace Cluster.Slim.Graph;

/// <summary>Objects of a message that turned out to stand for others. Those others come from the user's code and may
/// belong to the living program, so nothing ever walks into them. Owned by one reader.</summary>
internal sealed class Substitutions
{
    private readonly Dictionary<object, object> _real = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<object> _foreign = new(ReferenceEqualityComparer.Instance);

    /// <summary>The replaced objects to which places may still refer.</summary>
    public int Count => _real.Count;

    public void Add(object instance, object real)
    {
        _real[instance] = real;
        _foreign.Add(real);
    }

    /// <summary>Keeps walks out of an object that is not of the message.</summary>
    public void AddForeign(object value) => _foreign.Add(value);

    public bool IsForeign(object value) => _foreign.Contains(value);

    public bool TryFind(object instance, [NotNullWhen(true)] out object? real) =>
        _real.TryGetValue(instance, out real);

    /// <summary>Takes out a replacement that is known before any place refers to the replaced object.</summary>
    public object TakeRealOf(object instance) => _real.Remove(instance, out var real) ? real : instance;

    public void Clear()
    {
        _real.Clear();
        _foreign.Clear();
    }
}
