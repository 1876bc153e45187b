using System.Net;
using Cluster.Glue.Contracts;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Cases for requests that a server refuses as such, and for calls whose method it refuses.</summary>
internal static class DirectedRequests
{
    private static readonly string Contract = typeof(IProbes).FullName!;
    private static readonly ulong ContractHash = SignatureHash.Of(Contract);
    private static readonly ulong NothingHash = SignatureHash.Of($"{Contract}|{Contract}|NothingAsync():void");
    private static readonly ulong NoLayout = SignatureHash.Combine([]);

    public static IEnumerable<DirectedCase> All() => [.. Requests(), .. Methods()];

    private static IEnumerable<DirectedCase> Requests() =>
    [
        new("/glue.v1.Glue/Other is not a method", bench => bench.RequestAsync([], "/glue.v1.Glue/Other")),
        new("content type 'text/plain'", bench => bench.RequestAsync([], type: "text/plain")),
        new("GET was used", _ => DirectedBench.StrangeAsync(HttpMethod.Get, HttpVersion.Version20)),
        new("HTTP/1.1 is not HTTP/2", _ => DirectedBench.StrangeAsync(HttpMethod.Post, HttpVersion.Version11)),
        new("the server is stopping", _ => DirectedBench.DrainingAsync()),
        new("no Hello within HandshakeTimeout", _ => DirectedBench.SilentAsync()),
        new("unary call: the request has no message", bench => bench.RequestAsync([], GlueWire.CallPath)),
        new("unary call: the request is not exactly one", bench => bench.RequestAsync(
            Frames.Of(Frames.Envelope(EnvelopeKind.Ping)), GlueWire.CallPath)),
    ];

    private static IEnumerable<DirectedCase> Methods() =>
    [
        Call("Method handle 77 was not bound", Frames.Envelope(EnvelopeKind.Call, 1, [], [77, 100])),
        Call("This server does not offer the contract with hash", Named(1, 2, 3)),
        Call("This server offers no method with signature hash", Named(ContractHash, 2, 3)),
        Call("A parameter or result type of", Named(ContractHash, NothingHash, 3)),
        Call("The server cannot rebuild the arguments of", Named(ContractHash, NothingHash, NoLayout, 1)),
        Bound("This server does not offer the contract Nobody", "Nobody", "NothingAsync"),
        Bound($"This server offers no method {Contract}.Nobody", Contract, "Nobody"),
        Bound($"{Contract}.NothingAsync has other parameter", Contract, "NothingAsync"),
    ];

    private static DirectedCase Call(string says, byte[] envelopes) => new(says, bench => bench.FaultAsync(envelopes));

    private static byte[] Named(ulong contract, ulong signature, ulong layout, params byte[] body)
        => Frames.Envelope(
            EnvelopeKind.Call,
            1,
            body,
            [.. BitConverter.GetBytes(contract), .. BitConverter.GetBytes(signature), .. BitConverter.GetBytes(layout), 100],
            GlueWire.FlagNamedMethod);

    private static DirectedCase Bound(string says, string contract, string method)
    {
        byte[] manifest = [0, .. Frames.Text(contract), 1, .. Frames.Text(method), .. new byte[16]];
        return Call(
            says,
            [
                .. Frames.Envelope(EnvelopeKind.Bind, 0, manifest), .. Frames.Envelope(EnvelopeKind.Call, 1, [], [0, 100]),
            ]);
    }
}
