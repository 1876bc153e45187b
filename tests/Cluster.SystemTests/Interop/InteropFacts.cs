using System.Text.Json;
using Cluster.Slim;
using Cluster.Slim.Hosting;
using Cluster.Testing;

namespace Cluster.SystemTests.Interop;

/// <summary>A file with the data that a stock gRPC program cannot compute without Slim: hashes, fingerprints and some
/// messages. Hashes and fingerprints are computed here by the rules of the wire page, not by Glue's own code. Disposal
/// deletes the file.</summary>
internal sealed class InteropFacts : IDisposable
{
    public const int LargeBytes = 1024 * 1024;
    public const string Failure = "it failed";

    private const int NumberCount = 402;

    private static readonly string Contract = typeof(IInterop).FullName!;

    // Signatures in the spelling of the wire page, and the types of arguments and result for the fingerprint.
    private static readonly (string Name, string Signature, Type[] Types)[] Methods =
    [
        ("DoubleAsync", "DoubleAsync(System.Int32):System.Int32", [typeof(int), typeof(int)]),
        ("EchoAsync", "EchoAsync(System.Byte[]):System.Byte[]", [typeof(byte[]), typeof(byte[])]),
        ("FailAsync", "FailAsync(System.String):System.Int32", [typeof(string), typeof(int)]),
        ("NextAsync", "NextAsync():System.Int32", [typeof(int)]),
        ("NoteAsync", "NoteAsync(System.Int32):void", [typeof(int)]),
        ("NotesAsync", "NotesAsync():System.Int32", [typeof(int)]),
        ("WaitAsync", "WaitAsync():void", []),
        ("MissingAsync", "MissingAsync():void", []),
        ("NothingAsync", "NothingAsync():void", []),
    ];

    private readonly SlimSerializer _serializer = new(
        new SlimOptions { Schema = SlimSchema.Known }.Allow<int>().Allow<byte[]>().Allow<string>());

    /// <param name="isText">Whether compression makes the large array smaller.</param>
    public InteropFacts(bool isText = false)
    {
        Large = isText ? TextArray() : LargeArray();
        Path = System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"glue-interop-{Guid.NewGuid():N}.json");
        var facts = new
        {
            formats = System.IO.Path.Combine(RepositoryFolder.Path, "docs", "formats"),
            contract = Contract,
            contractHash = HashOf(Contract),
            methods = Methods.ToDictionary(method => method.Name, method => new
            {
                signature = HashOf($"{Contract}|{Contract}|{method.Signature}"),
                layout = LayoutOf(method.Types),
                arguments = method.Signature.Contains("()", StringComparison.Ordinal) ? 0 : 1,
            }),
            numbers = Enumerable.Range(0, NumberCount).Select(MessageOf).ToArray(),
            bytes = MessageOf(Large),
            text = MessageOf(Failure),
        };
        File.WriteAllText(Path, JsonSerializer.Serialize(facts));
    }

    public string Path { get; }

    public byte[] Large { get; }

    public static byte[] LargeArray()
    {
        var bytes = new byte[LargeBytes];
        new Random(1).NextBytes(bytes);
        return bytes;
    }

    public void Dispose() => File.Delete(Path);

    private static byte[] TextArray() => [.. Enumerable.Range(0, LargeBytes).Select(at => (byte)('a' + (at % 26)))];

    private static string HashOf(string text) => HexOf(XxHash3.Hash(Encoding.UTF8.GetBytes(text)));

    private string LayoutOf(Type[] types)
    {
        var layouts = new byte[8 * types.Length];
        foreach ((var index, var type) in types.Index())
        {
            BinaryPrimitives.WriteUInt64LittleEndian(
                layouts.AsSpan(8 * index), SlimLayouts.FingerprintOf(_serializer, type));
        }

        return HexOf(XxHash3.Hash(layouts));
    }

    private string MessageOf<T>(T value)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new SlimMessageWriter(_serializer);
        writer.Begin(output);
        writer.Write(value);
        writer.Complete();
        return Convert.ToHexString(output.WrittenSpan);
    }

    private static string HexOf(ulong hash)
    {
        var bytes = new byte[8];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, hash);
        return Convert.ToHexString(bytes);
    }
}
