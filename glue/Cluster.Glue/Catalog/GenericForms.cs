using System.Reflection;
using Cluster.Glue.Emission;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Catalog;

/// <summary>
/// The closed forms of generic methods that a process serves. Their code is never unloaded and peers choose them, so
/// their number is bounded. Shared by all servers of the process; protected by one lock.
/// </summary>
internal sealed class GenericForms(int countMax)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<MethodInfo, Lazy<CallInvoker>> _invokers = [];

    public static GenericForms OfProcess { get; } = new(GlueLimits.GenericFormsMax);

    public int CountMax => countMax;

    /// <summary>The code that calls a closed method; null when it would be one too many.</summary>
    public CallInvoker? Find(ContractDescription contract, ContractMethod closed)
    {
        Lazy<CallInvoker>? invoker;
        lock (_gate)
        {
            if (!_invokers.TryGetValue(closed.Method, out invoker))
            {
                if (_invokers.Count >= countMax)
                    return null;
                invoker = new Lazy<CallInvoker>(() => DispatcherEmitter.InvokerOf(contract, closed));
                _invokers.Add(closed.Method, invoker);
            }
        }

        return invoker.Value;
    }
}
