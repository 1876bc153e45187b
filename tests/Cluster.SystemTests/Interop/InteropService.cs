namespace Cluster.SystemTests.Interop;

/// <summary>Its implementation. Stateless.</summary>
internal sealed class InteropService : IInterop
{
    public Task<int> DoubleAsync(int value) => Task.FromResult(2 * value);
}
