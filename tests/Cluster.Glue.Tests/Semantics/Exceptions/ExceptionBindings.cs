namespace Cluster.Glue.Tests.Semantics.Exceptions;

public sealed class ExceptionsOverLinkTests : ExceptionSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;
}

public sealed class ExceptionsOverUnaryTests : ExceptionSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;

    public override void ConfigureClient(GlueClientOptions options)
    {
        base.ConfigureClient(options);
        options.Transport = GlueTransport.Unary;
    }
}

public sealed class ExceptionsInProcessTests : ExceptionSemanticTests
{
    private readonly string _name = "t" + Guid.NewGuid().ToString("N");

    protected override bool Serializes => false;

    protected override string TargetOf(string listenAddress) => "inproc://" + _name;

    protected override void ConfigureBinding(GlueServerOptions options) => options.InProcessName = _name;
}

public sealed class ExceptionsInProcessSerializedTests : ExceptionSemanticTests
{
    private readonly string _name = "t" + Guid.NewGuid().ToString("N");

    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => "inproc://" + _name;

    protected override void ConfigureBinding(GlueServerOptions options)
    {
        options.InProcessName = _name;
        options.InProcessMode = GlueInProcessMode.Serialize;
    }
}
