// Calls between two processes: objects that refer to each other, a stream of answers, and an exception.
//
//   dotnet run --project nodes/Samples/CallAndStream -- serve http://127.0.0.1:5101
//   dotnet run --project nodes/Samples/CallAndStream -- call http://127.0.0.1:5101
using CallAndStream;
using Cluster.Glue;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

if (args is ["serve", var listenAddress])
    await ServeAsync(listenAddress);
else if (args is ["call", var address])
    await CallAsync(address);
else
    Console.WriteLine("Say 'serve ADDRESS' or 'call ADDRESS', such as: serve http://127.0.0.1:5101");

static async Task ServeAsync(string address)
{
    var builder = Host.CreateApplicationBuilder();
    builder.Services
        .AddGlueServer(options => options.ListenAddress = address)
        .AddService<ITimetable, Timetable>(GlueInstanceMode.Singleton);
    using var host = builder.Build();
    await host.StartAsync();
    Console.WriteLine($"Serving at {host.Services.GetRequiredService<GlueListener>().Address}");
    await host.WaitForShutdownAsync();
}

static async Task CallAsync(string address)
{
    await using var client = new GlueClient(new GlueClientOptions());
    var timetable = client.CreateProxy<ITimetable>(address);

    // A call. The stops refer to each other in both directions, and do so again after their way.
    var first = await timetable.FindLineAsync("Bern", "Basel");
    for (var stop = first; stop is not null; stop = stop.Next)
        Console.WriteLine($"{stop.Name}, after {stop.Previous?.Name ?? "nothing"}");

    // A stream. The service makes the next answer while this loop works on the last one.
    await foreach (var report in timetable.FollowAsync(first))
        Console.WriteLine(report);

    // An exception keeps its type and its message.
    try
    {
        await timetable.FindLineAsync("Bern", "Atlantis");
    }
    catch (ArgumentException refusal)
    {
        Console.WriteLine($"Refused: {refusal.Message}");
    }
}
