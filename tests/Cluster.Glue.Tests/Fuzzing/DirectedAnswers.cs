using Cluster.Glue.Tests.Wire;
using Cluster.Glue.Wire;
using Microsoft.AspNetCore.Http;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Cases for what a client refuses: handshakes, bind results, faults, and servers that speak something
/// else.</summary>
internal static class DirectedAnswers
{
    public static IEnumerable<DirectedCase> All() => [.. Handshakes(), .. BindResults(), .. Faults(), .. Others()];

    private static IEnumerable<DirectedCase> Handshakes() =>
    [
        new("handshake: the server speaks protocol version 1", _ => DirectedBench.WelcomeAsync(
            Frames.Of(Frames.Envelope(EnvelopeKind.Welcome, 0, Frames.Hello(lowest: 1, highest: 1))))),
        new("joined: batches received: ", _ => DirectedBench.WelcomeAsync(
            Frames.Of(Frames.Envelope(EnvelopeKind.Welcome, 0, Frames.Hello(window: 1000))),
            Frames.Of(Frames.Envelope(EnvelopeKind.Joined)))),
    ];

    private static IEnumerable<DirectedCase> BindResults() =>
    [
        Bound("first bound handle: "),
        Bound("difference count: ", 0),
        Bound("handle: ", 0, 1, 0x80),
        Bound("cause: ", 0, 1, 0, 0x80),
        Bound("reason: ", 0, 1, 0, 21, 5),
        Bound("result description: ", 0, 1, 0, 0, 0, 9),
        Bound("bind result: handle 200 does not belong", 0, 1, 200, 1, 21, 0, 0),
        Bound("bind result: no contract was bound at handle 5", 5, 0),
    ];

    private static IEnumerable<DirectedCase> Faults() =>
    [
        Fault("fault kind: 1 bytes"),
        Fault("fault kind: 9 is not known", 9),
        Fault("kind: ", 1),
        Fault("delivery: ", 1, 1),
        Fault("code: ", 1, 1, 1),
        Fault("message: ", 1, 1, 1, 1, 5),
        Fault("exception chain: the number", 2),
        Fault("exception chain: empty", 2, 0),
        Fault("exception type: ", 2, 1),
        Fault("exception message: ", 2, 1, 1, 65),
        Fault("exception stack: ", 2, 1, 1, 65, 1, 65),
        Fault("exception data count: ", 2, 1, 1, 65, 1, 65, 0),
        Fault("exception data key: ", 2, 1, 1, 65, 1, 65, 0, 1),
        Fault("exception data: ", 2, 1, 1, 65, 1, 65, 0, 1, 1, 65),
        Fault("exception data value: ", 2, 1, 1, 65, 1, 65, 0, 1, 1, 65, 1, 5),
        Fault("exception graph: ", 2, 1, 1, 65, 1, 65, 0, 0, 9),
        Fault("cancellation message: ", 3),
    ];

    private static IEnumerable<DirectedCase> Others() =>
    [
        Http("the server answered HTTP 404", GlueTransport.Link, async context =>
        {
            await ReadHelloAsync(context);
            context.Response.StatusCode = StatusCodes.Status404NotFound;
        }),
        Http("the server answered with content type 'text/html'", GlueTransport.Link, async context =>
        {
            await ReadHelloAsync(context);
            context.Response.ContentType = "text/html";
            await context.Response.WriteAsync("<p>");
        }),
        Http("gRPC frame: 100000 bytes came", GlueTransport.Link, async context =>
        {
            await ReadHelloAsync(context);
            await AnswerAsync(context, Frames.OfPayload(new byte[100_000]));
        }),
        Http("unary call: the answer is not exactly one answer", GlueTransport.Unary, context =>
        {
            return AnswerAsync(context, Frames.Of(Frames.Envelope(EnvelopeKind.Ping)));
        }),
        Http("gRPC frame: Unexpected data after", GlueTransport.Unary, context =>
        {
            var reply = Frames.Of(Frames.Envelope(EnvelopeKind.Reply));
            return AnswerAsync(context, [.. reply, .. reply]);
        }),
        Http("gRPC frame: Received message exceeds", GlueTransport.Unary, context =>
            AnswerAsync(context, [0, 0x7F, 0, 0, 0, 1])),
        Http("unary bind: answered by Ping", GlueTransport.Unary, async context =>
        {
            using var body = new MemoryStream();
            await context.Request.Body.CopyToAsync(body);
            var isBind = Frames.EnvelopesIn(Frames.PayloadsIn(body.ToArray())[0])[0].Kind == EnvelopeKind.Bind;
            // Refused, delivered to nobody, unknown method: the client asks why.
            var answer = isBind
                ? Frames.Envelope(EnvelopeKind.Ping)
                : Frames.Envelope(EnvelopeKind.Fault, 0, [1, 4, 1, 21, 0]);
            await AnswerAsync(context, Frames.Of(answer));
        }),
        Http("refusal kind: ", GlueTransport.Unary, context =>
        {
            return AnswerAsync(context, Frames.Of(Frames.Envelope(EnvelopeKind.Fault)));
        }),
    ];

    private static async Task AnswerAsync(HttpContext context, byte[] frames)
    {
        context.Response.ContentType = GlueWire.ContentType;
        await context.Response.Body.WriteAsync(frames);
        context.Response.AppendTrailer(RawGrpc.StatusHeader, "0");
    }

    // The client is not about to write when the answer comes: a failure to write would hide it.
    private static async Task ReadHelloAsync(HttpContext context) =>
        Assert.NotEqual(0, await context.Request.Body.ReadAsync(new byte[1024]));

    private static DirectedCase Bound(string says, params byte[] body) =>
        new(says, _ => DirectedBench.AnswerAsync(_ => Frames.Envelope(EnvelopeKind.Bound, 0, body)));

    private static DirectedCase Fault(string says, params byte[] body) =>
        new(says, _ => DirectedBench.AnswerAsync(callId => Frames.Envelope(EnvelopeKind.Fault, callId, body)));

    private static DirectedCase Http(string says, GlueTransport transport, RequestDelegate answer) =>
        new(says, _ => DirectedBench.HttpAsync(transport, answer));
}
