using System.Diagnostics.Metrics;
using Cluster.Glue;
using Cluster.Glue.Authorization;
using Cluster.Glue.Endpoints;
using Cluster.Glue.Hosting;
using Cluster.Glue.Sessions;
using Cluster.Glue.Settings;
using Grpc.AspNetCore.HealthChecks;
using Grpc.AspNetCore.Server;
using Grpc.AspNetCore.Server.Model;
using Grpc.HealthCheck;
using Microsoft.AspNetCore.Authorization;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registers Glue servers and clients in a container.</summary>
public static class GlueServiceCollectionExtensions
{
    /// <summary>Adds the Glue server of this process. Repeated calls extend the same server.</summary>
    /// <param name="services">The container.</param>
    /// <param name="configure">Runs after the configuration section <c>Glue:Server</c>.</param>
    public static GlueServerBuilder AddGlueServer(
        this IServiceCollection services,
        Action<GlueServerOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        if (services.All(service => service.ServiceType != typeof(ServerRuntime)))
            AddServerCore(services);
        if (configure is not null)
            services.Configure(configure);
        return new GlueServerBuilder(services);
    }

    /// <summary>Adds a proxy for a contract, bound to one address, as a singleton.</summary>
    /// <typeparam name="TContract">A plain interface.</typeparam>
    /// <param name="services">The container.</param>
    /// <param name="address"><c>http://host:port</c>, <c>https://host:port</c>, <c>unix:///path</c> or
    /// <c>inproc://name</c>.</param>
    /// <returns>Sets options of the proxy, filters and resilience.</returns>
    public static GlueProxyBuilder AddGlueClient<TContract>(this IServiceCollection services, string address)
        where TContract : class
    {
        ArgumentNullException.ThrowIfNull(address);
        // One name for each registration: the same contract may be added for several addresses.
        var name = $"{typeof(TContract)} {services.Count}";
        services.AddGlueClient().AddSingleton(provider => provider.GetRequiredService<GlueClient>()
            .CreateProxy<TContract>(
                address, provider.GetRequiredService<IOptionsMonitor<GlueProxyOptions>>().Get(name)));
        return new GlueProxyBuilder(services, name);
    }

    /// <summary>Adds the <see cref="GlueClient"/> of this process, whose proxies share their links.</summary>
    /// <param name="services">The container.</param>
    /// <param name="configure">Runs after the configuration section <c>Glue:Client</c>.</param>
    public static IServiceCollection AddGlueClient(
        this IServiceCollection services,
        Action<GlueClientOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        if (services.All(service => service.ServiceType != typeof(GlueClient)))
        {
            services.AddMetrics();
            services.AddOptions<GlueClientOptions>().ValidateOnStart();
            services.AddSingleton<IConfigureOptions<GlueClientOptions>>(
                provider => new SectionBinding<GlueClientOptions>(provider, GlueClientOptionsValidator.Section));
            services.AddSingleton<IPostConfigureOptions<GlueClientOptions>>(
                provider => new PostConfigureOptions<GlueClientOptions>(
                    Microsoft.Extensions.Options.Options.DefaultName, options =>
                    {
                        options.LoggerFactory ??= provider.GetService<ILoggerFactory>();
                        options.MeterFactory ??= provider.GetService<IMeterFactory>();
                        options.Services = provider;
                    }));
            services.TryAddEnumerable(
                ServiceDescriptor.Singleton<IValidateOptions<GlueClientOptions>, GlueClientOptionsValidator>());
            services.AddSingleton(
                provider => new GlueClient(provider.GetRequiredService<IOptions<GlueClientOptions>>().Value));
        }

        if (configure is not null)
            services.Configure(configure);
        return services;
    }

    private static void AddServerCore(IServiceCollection services)
    {
        services.AddLogging();
        services.AddMetrics();
        services.AddOptions<GlueServerOptions>().ValidateOnStart();
        services.AddSingleton<IConfigureOptions<GlueServerOptions>>(
            provider => new SectionBinding<GlueServerOptions>(provider, GlueServerOptionsValidator.Section));
        services.TryAddEnumerable(
            ServiceDescriptor.Singleton<IValidateOptions<GlueServerOptions>, GlueServerOptionsValidator>());
        // Has no effect without AddAuthorization.
        services.Configure<AuthorizationOptions>(GluePolicies.Add);
        services.AddSingleton<ServerRuntime>();
        services.AddSingleton<GlueEndpoint>();
        services.AddSingleton<MappedEndpoints>();
        services.AddSingleton(provider => new GlueListener(new ServerListeners(
            provider.GetRequiredService<ServerRuntime>(), provider.GetRequiredService<GlueEndpoint>(), provider)));
        services.AddHostedService(provider => provider.GetRequiredService<GlueListener>());
        services.AddHostedService<GlueServerLifetime>();
        AddGrpcCore(services);
    }

    // The services of AddGrpcHealthChecks without its publisher. The publisher runs all checks of the host twice a
    // minute and logs each failure. Here the checks run on request, so that a server that drains reports it at once.
    private static void AddHealth(IServiceCollection services)
    {
        services.TryAddSingleton<HealthServiceImpl>();
        services.Configure<GrpcHealthChecksOptions>(static options =>
        {
            options.UseHealthChecksCache = false;
            options.Services.Map(string.Empty, static _ => true);
        });
        services.AddHealthChecks().AddCheck<GlueHealthCheck>(GlueHealthCheck.Name, tags: ["ready"]);
    }

    private static void AddGrpcCore(IServiceCollection services)
    {
        services.AddGrpc();
        services.AddSingleton<LinkService>();
        services.AddSingleton<CallService>();
        services.AddSingleton<GlueMethods>();
        services.AddSingleton<IServiceMethodProvider<LinkService>>(
            provider => provider.GetRequiredService<GlueMethods>());
        services.AddSingleton<IServiceMethodProvider<CallService>>(
            provider => provider.GetRequiredService<GlueMethods>());
        services.AddSingleton<GlueServiceOptions>();
        services.AddSingleton<IConfigureOptions<GrpcServiceOptions<LinkService>>>(
            provider => provider.GetRequiredService<GlueServiceOptions>());
        services.AddSingleton<IConfigureOptions<GrpcServiceOptions<CallService>>>(
            provider => provider.GetRequiredService<GlueServiceOptions>());
        AddHealth(services);
        // A web host registers it; routing needs it in other hosts, too.
        services.TryAddSingleton(_ => new DiagnosticListener("Microsoft.AspNetCore"));
    }
}
