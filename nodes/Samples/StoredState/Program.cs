// A storage behind a state: the values of the cluster stay when all its nodes have ended. Each run of this program is a
// cluster of one node, which finds what an earlier one has stored.
//
//   dotnet run --project nodes/Samples/StoredState -- add ada 10
//   dotnet run --project nodes/Samples/StoredState -- add ada 5
//   dotnet run --project nodes/Samples/StoredState -- show ada
using Cluster.StateStore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using StoredState;

var builder = Host.CreateApplicationBuilder();
builder.Logging.SetMinimumLevel(LogLevel.Error);
var folder = builder.Configuration["Samples:Folder"]
    ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData), "StoredState");
builder.AddCluster(options => options.Name = "stored-state")
    .UseInMemoryStore()                                         // this cluster is one process
    .AddStoredState<string, Account>("accounts", storage => storage.UseFiles(Path.Combine(folder, "accounts")));
using var host = builder.Build();
await host.StartAsync();

var accounts = host.Services.GetRequiredService<IPartitionedState<string, Account>>();
if (args is ["add", var owner, var amount])
{
    // The storage has the new balance when the call returns.
    var deposit = new Deposit(decimal.Parse(amount, CultureInfo.InvariantCulture));
    var balance = await accounts.UpdateAsync(owner, deposit);
    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{owner} has {balance}."));
}
else if (args is ["show", var shown])
{
    // The new process has nothing in its memory, so the value comes from the storage.
    Console.WriteLine(await accounts.GetAsync(shown) is { } account
        ? string.Create(CultureInfo.InvariantCulture, $"{shown} has {account.Balance}.")
        : $"{shown} has no account.");
}
else
    Console.WriteLine("Say 'add NAME AMOUNT' or 'show NAME'.");
await host.StopAsync();
