using Cluster.Glue.References;
using Cluster.Glue.Settings;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Serving;

/// <summary>The service object of one call and the DI scope it lives in, if it has one. Owned by that call.</summary>
internal struct ServiceInstance
{
    private AsyncServiceScope? _scope;

    /// <summary>Where the service's dependencies come from; null: it has no scope of its own.</summary>
    public readonly IServiceProvider? Services => _scope?.ServiceProvider;

    /// <summary>Creates or finds the object.</summary>
    public object Open(IServiceProvider root, ServiceRegistration registration)
    {
        if (registration.Mode == GlueInstanceMode.Singleton)
            return root.GetRequiredService(registration.Implementation);
        var scope = root.CreateAsyncScope();
        _scope = scope;
        return scope.ServiceProvider.GetRequiredService(registration.Implementation);
    }

    /// <summary>Leaves the scope to what the call's result refers to.</summary>
    public void KeepFor(ReferenceLease lease)
    {
        lease.Take(_scope);
        _scope = null;
        lease.Release();
    }

    public ValueTask CloseAsync()
    {
        if (_scope is not { } scope)
            return ValueTask.CompletedTask;
        _scope = null;
        return scope.DisposeAsync();
    }
}
