using Cluster.Glue.References;
using Cluster.Glue.Settings;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Serving;

/// <summary>The service object of one call, and its DI scope if it has one. Owned by that call.</summary>
internal struct ServiceInstance
{
    private AsyncServiceScope? _scope;

    /// <summary>The provider of the service's dependencies; null: the call has no scope.</summary>
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

    /// <summary>Hands the scope over to the references in the call's result.</summary>
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
