using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Cases for requests that a server refuses as such, and for calls whose method it refuses.</summary>
internal static class DirectedRequests
{
    private static readonly string Contract = typeof(IProbes).FullName!;
    private static readonly ulong ContractHash = SignatureHash.Of(Contract);
    private static readonly ulong NothingHash = SignatureHash.Of($"{Contract}|{Contract}|NothingAsync():void");
    private static readonly string Graph = typeof(Semantics.Node).FullName!;
    private static readonly ulong NoLayout = SignatureHash.Combine([]);

    /// <summary>What a Bind says of one method; types and arguments with their counts.</summary>
    private sealed record Manifest(string Contract, string Method, ulong Hash, byte[] Types, byte[] Arguments);

    public static IEnumerable<DirectedCase> All() => [.. Requests(), .. Methods()];

    private static IEnumerable<DirectedCase> Requests() =>
    [
        new("the server is stopping", _ => DirectedBench.DrainingAsync()),
        new("no Hello within HandshakeTimeout", _ => DirectedBench.SilentAsync()),
        new("1 connections are shaking hands", _ => DirectedBench.CrowdedAsync()),
        new("unary call: the request has no message", bench => bench.RequestAsync([], GlueWire.CallPath)),
        new("unary call: more follows the message", bench => bench.RequestAsync(
            [.. Frames.Of([]), .. Frames.Of([])], GlueWire.CallPath)),
        new("unary call: the request is not exactly one", bench => bench.RequestAsync(
            Frames.Of(Frames.Envelope(EnvelopeKind.Ping)), GlueWire.CallPath)),
    ];

    private static IEnumerable<DirectedCase> Methods() =>
    [
        Call("Method handle 77 was not bound", Frames.Envelope(EnvelopeKind.Call, 1, [], [77, 100])),
        Call("This server does not offer the contract with hash", Named(1, 2, 3)),
        Call("This server offers no method with signature hash", Named(ContractHash, 2, 3)),
        Call("A parameter or result type of", Named(ContractHash, NothingHash, 3)),
        Call("The server cannot rebuild the arguments of", Named(ContractHash, NothingHash, NoLayout, 7)),
        Call("The server cannot rebuild the arguments of", Named(ContractHash, NothingHash, NoLayout, 1)),
        Call("The server cannot rebuild the arguments of", Named(ContractHash, NothingHash, NoLayout, 1, 1, 0x80)),
        Headers("header name: ", 5),
        Headers("header value: the number", 1, 65, 0x80),
        Headers("header value: 9 bytes are announced", 1, 65, 18),
        Described("Argument 1 of "),
        Bound("This server does not offer the contract Nobody", "Nobody", "NothingAsync"),
        Bound($"This server offers no method {Contract}.Nobody", Contract, "Nobody"),
        Bound($"{Contract}.NothingAsync has other parameter", Contract, "NothingAsync"),
    ];

    // Headers of a call whose layout is another one are looked at.
    private static DirectedCase Headers(string says, params byte[] headers)
    {
        byte[] method =
        [
            .. BitConverter.GetBytes(ContractHash), .. BitConverter.GetBytes(NothingHash), .. new byte[8], 100,
            .. Frames.Block(headers),
        ];
        byte flags = GlueWire.FlagNamedMethod | GlueWire.FlagHeaders;
        return new DirectedCase(
            says, bench => bench.LinkAsync(Frames.Of(Frames.Envelope(EnvelopeKind.Call, 1, [], method, flags))));
    }

    private static DirectedCase Call(string says, byte[] envelopes) => new(says, bench => bench.FaultAsync(envelopes));

    private static byte[] Named(ulong contract, ulong signature, ulong layout, params byte[] body) =>
        Frames.Envelope(
            EnvelopeKind.Call,
            1,
            body,
            [.. BitConverter.GetBytes(contract), .. BitConverter.GetBytes(signature), .. BitConverter.GetBytes(layout), 100],
            GlueWire.FlagNamedMethod);

    private static DirectedCase Bound(string says, string contract, string method) =>
        Bound(new Manifest(contract, method, 0, [0], [0]), says);

    private static DirectedCase Described(string says) =>
        Bound(
            new Manifest(
                Contract,
                "EchoGraphAsync",
                SignatureHash.Of($"{Contract}|{Contract}|EchoGraphAsync({Graph}):{Graph}"),
                Types: [1, 1, 9],
                Arguments: [1, 1]),
            says);

    private static DirectedCase Bound(Manifest what, string says)
    {
        byte[] manifest =
        [
            0, 1, .. Frames.Text(what.Contract), .. what.Types, 1, .. Frames.Text(what.Method), 1,
            .. BitConverter.GetBytes(what.Hash),
            .. new byte[8], 0, .. what.Arguments,
        ];
        return Call(
            says,
            [
                .. Frames.Envelope(EnvelopeKind.Bind, 0, manifest), .. Frames.Envelope(EnvelopeKind.Call, 1, [], [0, 100]),
            ]);
    }
}
