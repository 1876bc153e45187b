using System.Text.Json;

namespace Cluster.SystemTests.Interop;

/// <summary>The data that a stock gRPC program of C# reads from the file of <see cref="InteropFacts"/>.
/// Immutable.</summary>
internal sealed class StockFacts
{
    private StockFacts(JsonElement file)
    {
        Contract = file.GetProperty("contract").GetString()!;
        ContractHash = BytesOf(file.GetProperty("contractHash"));
        Numbers = [.. file.GetProperty("numbers").EnumerateArray().Select(BytesOf)];
        Large = BytesOf(file.GetProperty("bytes"));
        Text = BytesOf(file.GetProperty("text"));
        Methods = file.GetProperty("methods").EnumerateObject().ToDictionary(
            one => one.Name,
            one => new StockMethod(
                BytesOf(one.Value.GetProperty("signature")),
                BytesOf(one.Value.GetProperty("layout")),
                one.Value.GetProperty("arguments").GetInt32()));
        Names = [.. Methods.Keys];
    }

    public string Contract { get; }

    public byte[] ContractHash { get; }

    /// <summary>The messages of the numbers from zero on.</summary>
    public byte[][] Numbers { get; }

    /// <summary>The message of the large array.</summary>
    public byte[] Large { get; }

    /// <summary>The message of the text of failures.</summary>
    public byte[] Text { get; }

    public Dictionary<string, StockMethod> Methods { get; }

    /// <summary>The methods in the order of their handles.</summary>
    public string[] Names { get; }

    public static StockFacts Load(string path)
    {
        using var document = JsonDocument.Parse(File.ReadAllText(path));
        return new StockFacts(document.RootElement);
    }

    /// <summary>Hashes of contract, signature and layout, for a request that names its method without a
    /// handle.</summary>
    public byte[] HashesOf(string name) => [.. ContractHash, .. Methods[name].Signature, .. Methods[name].Layout];

    private static byte[] BytesOf(JsonElement text) => Convert.FromHexString(text.GetString()!);

    /// <summary>The hashes of a method that both sides compare. Immutable.</summary>
    public sealed record StockMethod(byte[] Signature, byte[] Layout, int ArgumentCount);
}
