using Cluster.Glue;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Offers a service on a node.</summary>
internal static class OfferedService
{
    public static void Add(HostApplicationBuilder builder) =>
        builder.AddCluster(options => options.Name = "shop").UseInMemoryStore()
            .AddService<IContract, Service>(GlueInstanceMode.Singleton)
            .AddClient<IContract>();

    public interface IContract
    {
        Task<string> GreetAsync(string name, CancellationToken cancellationToken = default);
    }

    public sealed class Service : IContract
    {
        public Task<string> GreetAsync(string name, CancellationToken cancellationToken) => Task.FromResult(name);
    }
}
