using System.Diagnostics.Metrics;
using Cluster.Glue.Authorization;
using Cluster.Glue.Catalog;
using Cluster.Glue.Client;
using Cluster.Glue.Filters;
using Cluster.Glue.Observation;
using Cluster.Glue.Settings;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Serving;

/// <summary>Runs the calls that come to one server, or to the objects that one client has passed by reference. Owns the
/// offered methods, the authentication of callers, and the calls. Its parts protect themselves.</summary>
internal sealed class CallHost : IDisposable
{
    public CallHost(
        IServiceProvider services,
        ServerSettings settings,
        IEnumerable<ServiceRegistration> registrations,
        ILoggerFactory loggerFactory,
        ClientContracts? calling = null)
    {
        Services = services;
        Settings = settings;
        Log = new ServerLog(loggerFactory.CreateLogger<ServerLog>(), settings.Time);
        Metrics = calling?.Settings.Metrics ?? GlueMetrics.Of(services.GetService<IMeterFactory>());
        Callers = new CallerAuthentication(services, settings, Log);
        Catalog = new ServiceCatalog(
            Demands.AddTo(registrations, services), settings, new FilterLevels(settings.Filters, services));
        Callbacks = new CallbackContracts(
            settings, calling ?? new ClientContracts(new ClientSettings(settings.ToClientOptions(loggerFactory))));
        Calls = new IncomingCalls(
            services, settings, new CallAdmission(services, settings, Callers, Log), Log, Metrics);
    }

    public IServiceProvider Services { get; }

    public ServerSettings Settings { get; }

    public ServerLog Log { get; }

    public GlueMetrics Metrics { get; }

    public ServiceCatalog Catalog { get; }

    /// <summary>Finds the identity of callers.</summary>
    public CallerAuthentication Callers { get; }

    /// <summary>The contracts of objects that are passed by reference, in both directions.</summary>
    public CallbackContracts Callbacks { get; }

    public IncomingCalls Calls { get; }

    /// <summary>Makes the host of a client: it serves calls to the objects that the client passed by
    /// reference.</summary>
    public static CallHost ForCallbacks(ClientContracts calling) => new(
        new NoServices(),
        new ServerSettings(calling.Settings.ToServerOptions()),
        [],
        calling.Settings.LoggerFactory,
        calling);

    /// <summary>Finds the policies of all methods, so that a missing policy stops the start.</summary>
    /// <exception cref="InvalidOperationException">A policy is missing; the message says what to do.</exception>
    public async ValueTask PrepareAccessAsync()
    {
        var all = Catalog.Contracts.SelectMany(static contract => contract.Methods
            .Select(static method => method.Access)
            .Concat(contract.Generics.Select(static method => method.Access)));
        var scope = Services.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
        {
            foreach (var access in all.OfType<MethodAccess>())
                await access.PrepareAsync(scope.ServiceProvider).ConfigureAwait(false);
        }
    }

    public async Task EndInstancesAsync()
    {
        foreach (var contract in Catalog.Contracts)
        {
            if (contract.Instances is { } instances)
                await instances.DisposeAsync().ConfigureAwait(false);
        }
    }

    public void Dispose() => Log.Dispose();
}
