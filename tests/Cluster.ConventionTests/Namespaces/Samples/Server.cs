using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Serves a contract on a listener of its own.</summary>
internal static class Server
{
    public static void Add(HostApplicationBuilder builder) =>
        builder.Services.AddGlueServer(options => options.ListenAddress = "http://127.0.0.1:5101")
            .AddService<IComparable<string>, string>();
}
