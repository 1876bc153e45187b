namespace Cluster.Glue.Signatures;

/// <summary>The closed forms of generic methods that a process serves. Their code is never unloaded and peers choose
/// them, so their number is bounded. Shared by all servers of the process; protected by one lock.</summary>
internal sealed class GenericForms(int countMax)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<MethodInfo, Lazy<Delegate>> _invokers = [];

    public static GenericForms OfProcess { get; } = new(GlueLimits.GenericFormsMax);

    public int CountMax => countMax;

    /// <summary>The code that calls a closed method; null when the limit is reached.</summary>
    /// <param name="closed">The method.</param>
    /// <param name="emit">Makes the code, once for each method.</param>
    public Delegate? Find(MethodInfo closed, Func<Delegate> emit)
    {
        Lazy<Delegate>? invoker;
        lock (_gate)
        {
            if (!_invokers.TryGetValue(closed, out invoker))
            {
                if (_invokers.Count >= countMax)
                    return null;
                invoker = new Lazy<Delegate>(emit);
                _invokers.Add(closed, invoker);
            }
        }

        return invoker.Value;
    }
}
