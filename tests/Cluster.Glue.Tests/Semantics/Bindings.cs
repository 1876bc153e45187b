namespace Cluster.Glue.Tests.Semantics;

public sealed class ShapesOverLinkTests : ShapeSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;
}

public sealed class ShapesOverUnaryTests : ShapeSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;

    public override void ConfigureClient(GlueClientOptions options) => options.Transport = GlueTransport.Unary;
}

public sealed class ShapesInProcessTests : ShapeSemanticTests
{
    private readonly string _name = "t" + Guid.NewGuid().ToString("N");

    protected override bool Serializes => false;

    protected override string TargetOf(string listenAddress) => "inproc://" + _name;

    public override void ConfigureServer(GlueServerOptions options) => options.InProcessName = _name;
}

public sealed class ShapesInProcessSerializedTests : ShapeSemanticTests
{
    private readonly string _name = "t" + Guid.NewGuid().ToString("N");

    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => "inproc://" + _name;

    public override void ConfigureServer(GlueServerOptions options)
    {
        options.InProcessName = _name;
        options.InProcessMode = GlueInProcessMode.Serialize;
    }
}

public sealed class FailuresOverLinkTests : FailureSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;
}

public sealed class FailuresOverUnaryTests : FailureSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;

    public override void ConfigureClient(GlueClientOptions options) => options.Transport = GlueTransport.Unary;
}

public sealed class FailuresInProcessTests : FailureSemanticTests
{
    private readonly string _name = "t" + Guid.NewGuid().ToString("N");

    protected override bool Serializes => false;

    protected override string TargetOf(string listenAddress) => "inproc://" + _name;

    public override void ConfigureServer(GlueServerOptions options) => options.InProcessName = _name;
}

public sealed class FailuresInProcessSerializedTests : FailureSemanticTests
{
    private readonly string _name = "t" + Guid.NewGuid().ToString("N");

    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => "inproc://" + _name;

    public override void ConfigureServer(GlueServerOptions options)
    {
        options.InProcessName = _name;
        options.InProcessMode = GlueInProcessMode.Serialize;
    }
}

public sealed class TimingsOverLinkTests : TimingSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;
}

public sealed class TimingsOverUnaryTests : TimingSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;

    public override void ConfigureClient(GlueClientOptions options) => options.Transport = GlueTransport.Unary;
}

public sealed class TimingsInProcessTests : TimingSemanticTests
{
    private readonly string _name = "t" + Guid.NewGuid().ToString("N");

    protected override bool Serializes => false;

    protected override string TargetOf(string listenAddress) => "inproc://" + _name;

    public override void ConfigureServer(GlueServerOptions options) => options.InProcessName = _name;
}

public sealed class TimingsInProcessSerializedTests : TimingSemanticTests
{
    private readonly string _name = "t" + Guid.NewGuid().ToString("N");

    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => "inproc://" + _name;

    public override void ConfigureServer(GlueServerOptions options)
    {
        options.InProcessName = _name;
        options.InProcessMode = GlueInProcessMode.Serialize;
    }
}

public sealed class ShapesOverUnixSocketTests : ShapeSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;

    public override void ConfigureServer(GlueServerOptions options) => options.ListenAddress = SocketPath.New();
}

public sealed class FailuresOverUnixSocketTests : FailureSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;

    public override void ConfigureServer(GlueServerOptions options) => options.ListenAddress = SocketPath.New();
}

public sealed class TimingsOverUnixSocketTests : TimingSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;

    public override void ConfigureServer(GlueServerOptions options) => options.ListenAddress = SocketPath.New();
}
