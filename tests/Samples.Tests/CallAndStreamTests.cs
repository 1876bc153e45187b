namespace Samples.Tests;

public sealed class CallAndStreamTests
{
    [Fact]
    public async Task Caller_GetsTheGraphTheStreamAndTheException()
    {
        const string Served = "Serving at ";
        await using var server = SampleProcess.Start("CallAndStream", null, ["serve", "http://127.0.0.1:0"]);
        var line = await server.WaitForLineAsync(
            static line => line.StartsWith(Served, StringComparison.Ordinal), SampleProcess.Bound);
        var output = await SampleProcess.RunAsync("CallAndStream", null, ["call", line[Served.Length..]]);
        Assert.Equal(
            """
            Bern, after nothing
            Burgdorf, after Bern
            Olten, after Burgdorf
            Basel, after Olten
            The train is in Bern.
            The train is in Burgdorf.
            The train is in Olten.
            The train is in Basel.
            Refused: No line goes from Bern to Atlantis.
            """,
            output);
    }
}
