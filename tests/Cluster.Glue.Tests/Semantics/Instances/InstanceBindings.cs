namespace Cluster.Glue.Tests.Semantics.Instances;

public sealed class InstancesOverLinkTests : InstanceSemanticTests
{
    protected override bool Serializes => true;

    protected override string TargetOf(string listenAddress) => listenAddress;
}

public sealed class InstancesOverUnaryTests : InstanceSemanticTests
{
    protected override bool Serializes => true;

    protected override bool ArrivesAsSent => false;

    protected override string TargetOf(string listenAddress) => listenAddress;

    public override void ConfigureClient(GlueClientOptions options)
    {
        base.ConfigureClient(options);
        options.Transport = GlueTransport.Unary;
    }
}

public sealed class InstancesInProcessTests : InstanceSemanticTests
{
    private readonly string _name = "t" + Guid.NewGuid().ToString("N");

    protected override bool Serializes => false;

    protected override string TargetOf(string listenAddress) => "inproc://" + _name;

    protected override void ConfigureBinding(GlueServerOptions options) => options.InProcessName = _name;
}

public sealed class InstancesInProcessSerializedTests : InstanceSemanticTests
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
