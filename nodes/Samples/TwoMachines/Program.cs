// Nodes on several machines: they find each other in Consul, and show each other certificates (mutual TLS).
//
// Once, anywhere; then copy authority.pem and the file of the machine to each machine:
//   dotnet run --project nodes/Samples/TwoMachines -- certificates certs 10.0.0.1 10.0.0.2
// On each machine, beside an agent of Consul; the first one also gets --Cluster:Bootstrap=true at its first start:
//   export Cluster__Secret=something-long-that-nobody-guesses-and-all-nodes-share
//   dotnet run --project nodes/Samples/TwoMachines -- node certs 10.0.0.1
using Cluster.Glue.Tls;
using Cluster.Nodes;
using Cluster.StateStore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using TwoMachines;

if (args is ["certificates", var folder, .. { Length: > 0 } machines])
    await CertificateFiles.WriteAsync(folder, machines);
else if (args is ["node", var certificates, var machine, .. var settings])
    return await RunAsync(certificates, machine, settings);
else
    Console.WriteLine("Say 'certificates FOLDER MACHINE...' or 'node FOLDER MACHINE'.");
return 0;

static async Task<int> RunAsync(string certificates, string machine, string[] settings)
{
    var builder = Host.CreateApplicationBuilder(settings);

    // What a node shows as a server and as a client, and whom it trusts: only the authority of this cluster.
    var tls = new GlueTlsOptions
    {
        AuthorityFile = Path.Combine(certificates, CertificateFiles.Authority),
        CertificateFile = Path.Combine(certificates, CertificateFiles.Of(machine)),
        ClientCertificate = GlueClientCertificate.Required,
    };
    builder.Services.AddGlueServer(server => server.Tls = tls);
    builder.Services.AddGlueClient(client => client.Tls = tls);
    builder
        .AddCluster(options =>
        {
            options.Name = "two-machines";
            options.NodeName = machine;
            options.ListenAddress = $"https://{machine}:{builder.Configuration["Samples:Port"] ?? "5101"}";
        })
        .UseConsul()
        .AddState<string, string>("greetings");
    using var host = builder.Build();
    try
    {
        await host.StartAsync();
        var greetings = host.Services.GetRequiredService<IPartitionedState<string, string>>();
        await greetings.PutAsync(machine, $"Hello from {machine}");
        await foreach (var key in greetings.ScanKeysAsync())
            Console.WriteLine(await greetings.GetAsync(key));
        await host.WaitForShutdownAsync();
        return Environment.ExitCode;
    }
    catch (ClusterStartException refusal)
    {
        Console.WriteLine(refusal.Message);
        return (int)refusal.ExitCode;
    }
}
